fgtool diff nowhere.pb.gz there.pb.gz

fgtool top nowhere.pb.gz

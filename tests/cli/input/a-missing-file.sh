fgtool info nosuch.pb.gz

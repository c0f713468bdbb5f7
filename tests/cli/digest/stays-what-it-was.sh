cd "$DATA/pprof" && fgtool digest --each tiny.pb empty-profile.pb no-samples.pb negative.pb hostile-names.pb.gz go-cpu.pb.gz go-allocs.pb.gz go-heap-1.pb.gz go-heap-2.pb.gz go-mutex.pb.gz go-threadcreate.pb.gz
cd "$DATA/folded" && fgtool digest --each simple.folded diff.folded austin.folded annotations.folded fractional.folded empty-frames.folded perf-inferno.folded

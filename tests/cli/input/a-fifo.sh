mkfifo fifo && fgtool digest "$DATA/pprof/tiny.pb"
cat "$DATA/pprof/tiny.pb" >fifo &
fgtool digest fifo

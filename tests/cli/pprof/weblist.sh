fgtool version --features | grep -q 'programs: no\|assembler: no' && { echo 'skip: no elfutils or capstone in this build'; exit; }
cd "$DATA/elf" && fgtool pprof -weblist='spin|twice' -source_path=../src spin spin.txt

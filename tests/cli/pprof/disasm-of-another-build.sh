fgtool version --features | grep -q 'programs: no\|assembler: no' && { echo 'skip: no elfutils or capstone in this build'; exit; }
cd "$DATA/elf" && PPROF_BINARY_PATH=. fgtool pprof -disasm=spin -buildid=00ff spin spin.txt

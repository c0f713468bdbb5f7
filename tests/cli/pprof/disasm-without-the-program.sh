fgtool version --features | grep -q 'programs: no\|assembler: no' && { echo 'skip: no elfutils or capstone in this build'; exit; }
cd "$DATA/elf" && fgtool pprof -disasm=spin spin.txt

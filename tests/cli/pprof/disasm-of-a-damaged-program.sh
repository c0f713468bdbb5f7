fgtool version --features | grep -q 'programs: no\|assembler: no' && { echo 'skip: no elfutils or capstone in this build'; exit; }
for n in 100 700 2000 3000 4000; do head -c $n "$DATA/elf/spin" >spin && fgtool pprof -disasm=spin spin "$DATA/elf/spin.txt" | grep -c ": " || true; done

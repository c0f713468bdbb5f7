command -v zsh >/dev/null || { echo "skip: no zsh"; exit 0; }
fgtool completion zsh >_fgtool && zsh -n _fgtool && head -n 1 _fgtool

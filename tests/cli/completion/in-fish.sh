command -v fish >/dev/null || { echo "skip: no fish"; exit 0; }
fgtool completion fish >script.fish
HOME=$PWD fish --private -c 'source script.fish; complete -C "fgtool ver"; complete -C "fgtool version --f"'

fgtool version --features=all

fgtool version --featuers

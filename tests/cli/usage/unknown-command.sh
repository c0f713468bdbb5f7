fgtool verison

printf '{main};App\\Kernel::boot;{closure} 3\n' | fgtool top -n 1

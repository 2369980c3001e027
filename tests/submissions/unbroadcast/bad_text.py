# expected: cannot run
unbroadcast = "sum"

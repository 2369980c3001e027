# expected: wrong
find_the_bugs = {}

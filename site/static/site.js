// What stands in a page's own box may scroll sideways, and then must be reachable by keyboard.

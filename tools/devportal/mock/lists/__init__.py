"""Lists of a mock: filtered, sorted and divided into pages, by the parameters that the contract documents."""

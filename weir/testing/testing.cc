namespace weir::testing {}

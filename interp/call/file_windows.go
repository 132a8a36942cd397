package call

// dontBlock does nothing: there are no pipes among the files of Windows.
const dontBlock = 0

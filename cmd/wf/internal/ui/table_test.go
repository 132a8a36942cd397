package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	table := Table{Head: []string{"ID", "STATUS", "WAITING FOR"}}
	table.Add("Bestellung-ä", "running", "signal approve")
	table.Add("x", "done", "")
	var b strings.Builder
	require.NoError(t, table.Write(&b, Terminal{}))
	require.Equal(t, ""+
		"ID            STATUS   WAITING FOR\n"+
		"Bestellung-ä  running  signal approve\n"+
		"x             done\n", b.String())
}

func TestTableIsCutAtTheTerminal(t *testing.T) {
	table := Table{Head: []string{"A", "B"}}
	table.Add("one", "a long text")
	var b strings.Builder
	require.NoError(t, table.Write(&b, Terminal{Width: 10}))
	require.Equal(t, "A    B\none  a lo…\n", b.String())
}

func TestColour(t *testing.T) {
	require.Equal(t, "x", Terminal{}.Red("x"))
	require.Equal(t, "\x1b[31mx\x1b[0m", Terminal{Color: true}.Red("x"))
	require.Equal(t, "", Terminal{Color: true}.Red(""))
}

func TestLine(t *testing.T) {
	require.Equal(t, "plain", Line("plain"))
	require.Equal(t, "one / two", Line("one\ntwo\n"))
	require.Equal(t, "·[31mred·", Line("\x1b[31mred\a"))
}

// Columns line up by what a terminal shows: wide characters take two columns,
// combining ones none; the last column ends where the terminal does.
func TestTableOfWideCharacters(t *testing.T) {
	table := Table{Head: []string{"ID", "WAITING FOR"}}
	table.Add("日本", "signal 承認")
	table.Add("e\u0301te\u0301", "timer")
	table.Add("order", "")
	var b strings.Builder
	require.NoError(t, table.Write(&b, Terminal{Width: 17}))
	require.Equal(t, "ID     WAITING F…\n日本   signal 承…\ne\u0301te\u0301    timer\norder\n", b.String())
	require.Equal(t, "承…", Cut("承認", 3))
	require.Equal(t, "承認", Cut("承認", 4))
}

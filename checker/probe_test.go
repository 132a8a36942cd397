package checker_test
import ("testing";"os";"strings";"fmt")
func TestProbe(t *testing.T) {
	text, err := os.ReadFile("/tmp/probe.txt")
	if err != nil { t.Skip() }
	for _, s := range strings.Split(string(text), "\n====\n") {
		_, said, set := check(t, s)
		fmt.Println("----\n"+s+lines(set, said))
	}
}

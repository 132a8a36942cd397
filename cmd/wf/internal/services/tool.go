package services

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// addressFile is where a Tool finds the server, in its home folder.
const addressFile = ".services"

// Furnish makes a folder the home of tools that ask this server.
func (s *Server) Furnish(home string) error {
	if err := os.WriteFile(filepath.Join(home, addressFile), []byte(s.URL()), 0o600); err != nil {
		return fmt.Errorf("write the address: %w", err)
	}
	return nil
}

// Output is the answer to a program: what it writes, and its exit code.
func Output(code int, out, errs string) Answer {
	return Answer{Header: map[string]string{"X-Code": strconv.Itoa(code), "X-Err": errs}, Body: out}
}

// Tool is the main function of a program that scripts run. What it does, a server
// does for it: it asks `RUN /name/argument/…` under the key that it was given,
// its input being the body, and the answer is its output. It gives the exit code.
func Tool() int {
	answer, err := ask()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	defer answer.Body.Close()
	if _, err := io.Copy(os.Stdout, answer.Body); err != nil {
		return 70
	}
	fmt.Fprint(os.Stderr, answer.Header.Get("X-Err"))
	code, err := strconv.Atoi(answer.Header.Get("X-Code"))
	if err != nil {
		return 70
	}
	return code
}

func ask() (*http.Response, error) {
	address, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), addressFile))
	if err != nil {
		return nil, err
	}
	parts := append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)
	req, err := http.NewRequest("RUN", string(address)+"/"+strings.Join(parts, "/"), os.Stdin)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Idempotency-Key", os.Getenv("WF_IDEMPOTENCY_KEY"))
	return http.DefaultClient.Do(req)
}

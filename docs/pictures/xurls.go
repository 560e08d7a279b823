// Where xurls, in its strict mode, finds links in standard input: a line of two
// byte offsets for each. For make.py.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"mvdan.cc/xurls"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	for _, span := range xurls.Strict().FindAllIndex(text, -1) {
		fmt.Println(span[0], span[1])
	}
}

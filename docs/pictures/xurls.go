// Prints two byte offsets for each link that xurls, in its strict mode, finds in
// standard input, one link a line. For make.py.
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

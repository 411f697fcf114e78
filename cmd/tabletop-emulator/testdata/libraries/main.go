// Command libraries answers every request, and links the libraries that an emulator cannot do without: net/http, Pebble,
// and the script engine with its compiler. It listens on --dynamodb-addr ADDR, prints its URL, and ignores other flags.
// The benchmark of the start compares it with the emulator.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"

	quickjs "github.com/aperturerobotics/go-quickjs-wasi-reactor"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tetratelabs/wazero"
)

func main() {
	log.SetOutput(io.Discard)
	db, err := pebble.Open("", &pebble.Options{FS: vfs.NewMem(), DisableWAL: true})
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { _ = db.Set([]byte("key"), nil, nil) })
	http.HandleFunc("/script", func(http.ResponseWriter, *http.Request) {
		ctx := context.Background()
		_, _ = wazero.NewRuntime(ctx).CompileModule(ctx, quickjs.QuickJSWASM)
	})
	listener, err := net.Listen("tcp", os.Args[slices.Index(os.Args, "--dynamodb-addr")+1])
	if err != nil {
		panic(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	panic(http.Serve(listener, nil))
}

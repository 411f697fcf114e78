package backend_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator"
)

// A backend on an emulator, in one process: create the tables, then serve.
func ExampleNew() {
	db, err := emulator.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	server, err := backend.New(backend.Config{AWS: db.AWSConfig(), AdminToken: "admin", Pepper: "a long random text"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := server.CreateTables(context.Background()); err != nil {
		fmt.Println(err)
		return
	}

	request := httptest.NewRequest(http.MethodPost, "/telemetry/api-keys", strings.NewReader(`{"description":"first"}`))
	request.Header.Set("Authorization", "Bearer admin")
	request.Header.Set("Content-Type", "application/json")
	response := httptest.NewRecorder()
	server.ServeHTTP(response, request)
	fmt.Println(response.Code)
	// Output: 201
}

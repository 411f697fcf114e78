package main

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func taken() []shot {
	return []shot{{name: "page", file: ".png", text: "one\ntwo\n", body: map[string][]byte{"light": []byte("png")}}}
}

// TestCheckNoticesAnotherText compares pictures with those of a folder.
func TestCheckNoticesAnotherText(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "pictures")
	if err := write(folder, taken()); err != nil {
		t.Fatal(err)
	}
	if err := compare(folder, taken()); err != nil {
		t.Error(err)
	}
	other := taken()
	other[0].text = "one\nthree"
	if err := compare(folder, other); err == nil || !strings.Contains(err.Error(), "-two\n+three") {
		t.Error(err)
	}
	other[0].text = "two\none"
	if err := compare(folder, other); err == nil || !strings.Contains(err.Error(), "another order") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(folder, "page-light.png")); err != nil {
		t.Fatal(err)
	}
	if err := compare(folder, taken()); err == nil {
		t.Error("a missing picture is not noticed")
	}
}

// TestAbridge shortens secrets and leaves out examples, without moving the second column.
func TestAbridge(t *testing.T) {
	t.Parallel()
	got := abridge([]string{
		"  DynamoDB     http://127.0.0.1:45695           in memory",
		"  Cosmos DB    https://127.0.0.1:41/            Trust its certificate",
		"  Admin token  fdd0975343d31739d8f370f0390ba9a5",
		"Try in another terminal:", "  curl", "Press Ctrl-C to stop.",
		"0 errors  0.0 requests/s  0 stored", "0 errors  9.0 requests/s  1 stored", "0 errors  8.0 requests/s  2 stored"})
	want := []string{
		"  DynamoDB     http://127.0.0.1:8000            in memory",
		"  Cosmos DB    https://127.0.0.1:8081/          Trust its certificate",
		"  Admin token  fdd09753…",
		"Press Ctrl-C to stop.", "0 errors  9.0 requests/s  1 stored"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestReduce keeps the frequent colours of an image, and replaces the others with similar ones.
func TestReduce(t *testing.T) {
	t.Parallel()
	full := image.NewRGBA(image.Rect(0, 0, 2*colours+1, 1))
	for x := range colours {
		full.Set(2*x, 0, color.RGBA{uint8(2 * x), 0, 0, 255})
		full.Set(2*x+1, 0, color.RGBA{uint8(2 * x), 0, 0, 255})
	}
	full.Set(2*colours, 0, color.RGBA{20, 1, 0, 255})
	small := reduce(full)
	similar := small.At(2*colours, 0)
	if len(small.Palette) != colours || small.At(4, 0) != full.At(4, 0) || similar != (color.RGBA{20, 0, 0, 255}) {
		t.Errorf("%d colours, %v, %v", len(small.Palette), small.At(4, 0), similar)
	}
}

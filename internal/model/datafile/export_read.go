package datafile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5" // the checksum that exports have
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// The files of an export, as ExportTableToPointInTime writes them:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
const (
	summaryFile  = "manifest-summary.json"
	fileListFile = "manifest-files.json"
)

// exportSummary is what is read of manifest-summary.json.
type exportSummary struct {
	ItemCount    int64  `json:"itemCount"`
	OutputFormat string `json:"outputFormat"`
}

// exportFile is a line of manifest-files.json.
type exportFile struct {
	ItemCount     int64  `json:"itemCount"`
	MD5Checksum   string `json:"md5Checksum"`
	ETag          string `json:"etag"`
	DataFileS3Key string `json:"dataFileS3Key"`

	name string // of the file on this machine
}

func isManifest(name string) bool {
	base := filepath.Base(name)
	return base == summaryFile || base == fileListFile
}

// openExport opens the folder of an export, after checking the checksums of all its files. Errors: no manifest, a
// missing or changed file, and the format ION.
func openExport(name string, o Options) (*Source, error) {
	if o.Format != "" && o.Format != AWSExport {
		return nil, fmt.Errorf("%s is a folder, not a file of the format %s", name, o.Format)
	}
	folder, err := exportFolder(name)
	if err != nil {
		return nil, err
	}
	files, err := readManifests(folder)
	if err != nil {
		return nil, err
	}
	for i := range files {
		if err := files[i].find(folder); err != nil {
			return nil, err
		}
	}
	data := &exportRecords{files: files}
	return &Source{Format: AWSExport, keyTypes: o.KeyTypes, records: data, closers: []io.Closer{data}}, nil
}

// exportFolder returns the folder with the manifest: the given one, or the only one below its AWSDynamoDB.
func exportFolder(name string) (string, error) {
	if isManifest(name) {
		return filepath.Dir(name), nil
	}
	var found []string
	for _, pattern := range []string{".", "*", "AWSDynamoDB/*"} {
		matches, _ := filepath.Glob(filepath.Join(escapeGlob(name), filepath.FromSlash(pattern), summaryFile))
		found = append(found, matches...)
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s has no %s: use the folder of an export that is complete", name, summaryFile)
	case 1:
		return filepath.Dir(found[0]), nil
	}
	return "", fmt.Errorf("%s has %d exports: name the folder of one of them, such as %s", name, len(found),
		filepath.Dir(found[0]))
}

// escapeGlob returns a pattern that matches only this name.
func escapeGlob(name string) string {
	if filepath.Separator == '\\' {
		return name // a backslash escapes nothing there
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

func readManifests(folder string) ([]exportFile, error) {
	text, err := readManifest(folder, summaryFile)
	if err != nil {
		return nil, err
	}
	var summary exportSummary
	if err := json.Unmarshal(text, &summary); err != nil {
		return nil, fmt.Errorf("%s is not a manifest: %w", summaryFile, err)
	}
	if summary.OutputFormat != "" && summary.OutputFormat != "DYNAMODB_JSON" {
		return nil, fmt.Errorf("the export has the format %s: export the table as DYNAMODB_JSON", summary.OutputFormat)
	}
	if text, err = readManifest(folder, fileListFile); err != nil {
		return nil, err
	}
	var files []exportFile
	items := int64(0)
	for line := range bytes.Lines(text) {
		var file exportFile
		if err := json.Unmarshal(line, &file); err != nil {
			return nil, fmt.Errorf("%s is not a list of files: %w", fileListFile, err)
		}
		files, items = append(files, file), items+file.ItemCount
	}
	if items != summary.ItemCount {
		return nil, fmt.Errorf("the manifests differ: %s has %d items, %s has %d", summaryFile, summary.ItemCount,
			fileListFile, items)
	}
	return files, nil
}

// readManifest reads a manifest, and compares its checksum if there is a file with it.
func readManifest(folder, name string) ([]byte, error) {
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxModelBytes))
	if err != nil {
		return nil, err
	}
	want, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(name, ".json")+".md5"))
	if errors.Is(err, fs.ErrNotExist) {
		return text, nil
	}
	sum := md5.Sum(text)
	if err == nil && string(bytes.TrimSpace(want)) != base64.StdEncoding.EncodeToString(sum[:]) {
		err = fmt.Errorf("%s was changed: its checksum is not that of its .md5 file", name)
	}
	return text, err
}

// find finds the file on this machine and compares its checksum. The data of incremental exports is beside their
// folders.
func (f *exportFile) find(folder string) error {
	base := path.Base(f.DataFileS3Key)
	if base == "." || base == ".." || base == "/" || strings.ContainsAny(base, `\:`) {
		return fmt.Errorf("%s names the file %q, which is not one of an export", fileListFile, f.DataFileS3Key)
	}
	for _, place := range []string{"data", "../data", "."} {
		f.name = filepath.Join(folder, filepath.FromSlash(place), base)
		if _, err := os.Stat(f.name); err == nil {
			return f.check()
		}
	}
	return fmt.Errorf("the export is not complete: it has no file data/%s", base)
}

func (f *exportFile) check() error {
	in, err := os.Open(f.name)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, in); err != nil {
		return err
	}
	if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != f.MD5Checksum {
		return fmt.Errorf("%s was changed: its checksum is %s, not %s", f.name, got, f.MD5Checksum)
	}
	return nil
}

// exportRecords reads the files of an export one after another.
type exportRecords struct {
	files []exportFile
	open  *os.File
	lines *jsonLines
	items int64 // of the first file that have been read
}

func (r *exportRecords) next() (Record, error) {
	for len(r.files) > 0 {
		if r.lines == nil {
			if err := r.begin(); err != nil {
				return Record{}, err
			}
		}
		name := filepath.Base(r.files[0].name)
		record, err := r.lines.next()
		var invalid *Invalid
		switch {
		case err == nil:
			r.items++
			record.File = name
			return record, nil
		case errors.As(err, &invalid):
			r.items++
			invalid.File = name
			return record, invalid
		case !errors.Is(err, io.EOF):
			return record, fmt.Errorf("%s: %w", name, readError(err))
		}
		if err := r.end(name); err != nil {
			return record, err
		}
	}
	return Record{}, io.EOF
}

func (r *exportRecords) begin() error {
	file, err := os.Open(r.files[0].name)
	if err != nil {
		return err
	}
	r.open = file
	content, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file.Name()), readError(err))
	}
	r.lines = newJSONLines(bufio.NewReaderSize(content, headBytes), DynamoJSON, false)
	return nil
}

// end ends the first file.
func (r *exportRecords) end(name string) error {
	if r.items != r.files[0].ItemCount {
		return fmt.Errorf("%s has %d items, but %s has %d of it", name, r.items, fileListFile, r.files[0].ItemCount)
	}
	r.files, r.lines, r.items = r.files[1:], nil, 0
	return r.Close()
}

// Close closes the open file.
func (r *exportRecords) Close() error {
	if r.open == nil {
		return nil
	}
	err := r.open.Close()
	r.open = nil
	return err
}

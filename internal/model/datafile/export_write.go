package datafile

import (
	"compress/gzip"
	"crypto/md5" // the checksum that exports have
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// ExportInfo is what a manifest says about an export.
type ExportInfo struct {
	TableARN, TableID string
	Start, End        time.Time
}

// exportWriter writes the folder of a full export, as ExportTableToPointInTime does.
type exportWriter struct {
	folder string
	id     string // the name of the export's folder below AWSDynamoDB/
	info   ExportInfo
	files  []exportFile
	items  int64

	open  *os.File
	sum   hash.Hash
	pack  *gzip.Writer
	lines *lineWriter
	count int64 // items in the open file
}

// itemsPerFile is how many items a file of an export has at most.
const itemsPerFile = 100_000

// NewExportWriter returns a writer of the files of an export in an empty folder.
func NewExportWriter(folder string, info ExportInfo) (Writer, error) {
	if err := os.Mkdir(filepath.Join(folder, "data"), 0o755); err != nil {
		return nil, err
	}
	return &exportWriter{folder: folder, info: info,
		id: fmt.Sprintf("%014d-%s", info.Start.UnixMilli(), strings.ToLower(rand.Text()[:8]))}, nil
}

// Write implements Writer.
func (w *exportWriter) Write(item Item) error {
	if w.open == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	if err := w.lines.Write(item); err != nil {
		return err
	}
	if w.count++; w.count == itemsPerFile {
		return w.end()
	}
	return nil
}

func (w *exportWriter) begin() error {
	name := strings.ToLower(rand.Text()) + ".json.gz"
	file, err := os.OpenFile(filepath.Join(w.folder, "data", name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	w.open, w.sum, w.count = file, md5.New(), 0
	w.pack = gzip.NewWriter(io.MultiWriter(file, w.sum))
	w.lines = newLineWriter(w.pack, appendExported)
	return nil
}

// end completes the open file.
func (w *exportWriter) end() error {
	file := w.open
	if file == nil {
		return nil
	}
	w.open = nil
	defer file.Close()
	if err := w.lines.Close(); err != nil {
		return err
	}
	if err := w.pack.Close(); err != nil {
		return err
	}
	sum := w.sum.Sum(nil)
	parts := md5.Sum(sum) // the ETag of an upload in one part
	w.items += w.count
	w.files = append(w.files, exportFile{ItemCount: w.count, MD5Checksum: base64.StdEncoding.EncodeToString(sum),
		ETag: fmt.Sprintf("%x-1", parts), DataFileS3Key: w.key("data", filepath.Base(file.Name()))})
	return file.Close()
}

// key returns the key that a file would have in a bucket.
func (w *exportWriter) key(names ...string) string {
	return path.Join(append([]string{"AWSDynamoDB", w.id}, names...)...)
}

// Close implements Writer. The summary is the last file: an export that has one is complete.
func (w *exportWriter) Close() error {
	if err := w.end(); err != nil {
		return err
	}
	var list []byte
	for _, file := range w.files {
		line, err := json.Marshal(file)
		if err != nil {
			return err
		}
		list = append(append(list, line...), '\n')
	}
	if err := w.writeManifest(fileListFile, list); err != nil {
		return err
	}
	if w.info.End.IsZero() {
		w.info.End = time.Now()
	}
	summary, err := json.Marshal(map[string]any{
		"version": "2020-06-30", "exportArn": w.info.TableARN + "/export/" + w.id, "tableArn": w.info.TableARN,
		"tableId": w.info.TableID, "startTime": manifestTime(w.info.Start), "endTime": manifestTime(w.info.End),
		"exportTime": manifestTime(w.info.Start), "s3Bucket": "", "s3Prefix": nil, "s3SseAlgorithm": "AES256",
		"s3SseKmsKeyId": nil, "manifestFilesS3Key": w.key(fileListFile), "billedSizeBytes": 0, "itemCount": w.items,
		"outputFormat": "DYNAMODB_JSON", "exportType": "FULL_EXPORT",
	})
	if err != nil {
		return err
	}
	return w.writeManifest(summaryFile, summary)
}

func (w *exportWriter) writeManifest(name string, content []byte) error {
	sum := md5.Sum(content)
	checksum := []byte(base64.StdEncoding.EncodeToString(sum[:]))
	name = filepath.Join(w.folder, name)
	if err := os.WriteFile(strings.TrimSuffix(name, ".json")+".md5", checksum, 0o644); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}

// Abort implements Writer.
func (w *exportWriter) Abort() {
	if w.open != nil {
		_ = w.open.Close()
		w.open = nil
	}
}

func manifestTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

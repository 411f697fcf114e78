package transfer

import (
	"compress/gzip"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// exportFiles writes the files of an export, in the layout of AWS's documentation ("DynamoDB table export output
// format"): first the data, then the manifests, so that what a manifest names is there.
type exportFiles struct {
	objects Objects
	engine  *engine.Engine
	bucket  string
	folder  string // of the manifests, ending in /
	data    string // of the data files, ending in /
	suffix  string // of the data files' names

	done    []dataFile
	current *openFile // nil: none
	items   int64
}

// dataFile is an entry of the manifest of files.
type dataFile struct {
	ItemCount     int64  `json:"itemCount"`
	MD5Checksum   string `json:"md5Checksum"`
	ETag          string `json:"etag"`
	DataFileS3Key string `json:"dataFileS3Key"`
}

type openFile struct {
	key    string
	object ObjectWriter
	packer *gzip.Writer
	items  int64
}

// outputFolder returns the folder under a prefix: "foo/" becomes foo/AWSDynamoDB/ (aws-controllers-k8s/dynamodb-
// controller, 2026-10).
func outputFolder(prefix *string) string {
	base := ""
	if wire.OrZero(prefix) != "" {
		base = strings.TrimSuffix(*prefix, "/") + "/"
	}
	return base + "AWSDynamoDB/"
}

// newExportFiles returns the files of an export. The data of incremental exports is in a folder that they share.
func (p *Extension) newExportFiles(x *Export) *exportFiles {
	f := &exportFiles{objects: p.Objects, engine: p.Engine, bucket: *x.Input.S3Bucket, suffix: ".json.gz"}
	base := outputFolder(x.Input.S3Prefix)
	f.folder = base + x.ARN[len(x.TableARN+"/export/"):] + "/"
	if f.data = f.folder + "data/"; x.isIncremental() {
		f.data = base + "data/"
	}
	if orDefault(x.Input.ExportFormat, dynamoJSON) == ion {
		f.suffix = ".ion.gz"
	}
	return f
}

// write writes an item to the current file.
func (f *exportFiles) write(line []byte) error {
	if f.current == nil {
		if err := f.next(); err != nil {
			return err
		}
	}
	f.current.items++
	_, err := f.current.packer.Write(line)
	return err
}

// next ends the current file and begins another one.
func (f *exportFiles) next() error {
	if err := f.finish(); err != nil {
		return err
	}
	key := f.data + randomName(f.engine) + f.suffix
	object, err := f.objects.Create(f.bucket, key)
	if err != nil {
		return err
	}
	f.current = &openFile{key: key, object: object, packer: gzip.NewWriter(object)}
	return nil
}

// finish ends the current file.
func (f *exportFiles) finish() error {
	c := f.current
	if c == nil {
		return nil
	}
	f.current = nil
	defer c.object.Abort()
	if err := c.packer.Close(); err != nil {
		return err
	}
	sum := c.object.MD5()
	parts := md5.Sum(sum) // the ETag of an upload in one part
	file := dataFile{c.items, base64.StdEncoding.EncodeToString(sum), fmt.Sprintf("%x-1", parts), c.key}
	if err := c.object.Commit(file.ETag); err != nil {
		return err
	}
	f.items += c.items
	f.done = append(f.done, file)
	return nil
}

// abort discards the current file.
func (f *exportFiles) abort() {
	if f.current != nil {
		f.current.object.Abort()
	}
}

// putObject writes a small object.
func (f *exportFiles) putObject(key string, content []byte) error {
	object, err := f.objects.Create(f.bucket, key)
	if err != nil {
		return err
	}
	defer object.Abort()
	if _, err := object.Write(content); err != nil {
		return err
	}
	return object.Commit("")
}

// putManifest writes a manifest and its checksum.
func (f *exportFiles) putManifest(name string, content []byte) error {
	sum := md5.Sum(content)
	if err := f.putObject(f.folder+name+".md5", []byte(base64.StdEncoding.EncodeToString(sum[:]))); err != nil {
		return err
	}
	return f.putObject(f.folder+name+".json", content)
}

// summary is the content of manifest-summary.json.
type summary struct {
	Version            string  `json:"version"`
	ExportArn          string  `json:"exportArn"`
	StartTime          string  `json:"startTime"`
	EndTime            string  `json:"endTime"`
	TableArn           string  `json:"tableArn"`
	TableID            string  `json:"tableId"`
	ExportTime         string  `json:"exportTime,omitempty"`
	ExportFromTime     string  `json:"exportFromTime,omitempty"`
	ExportToTime       string  `json:"exportToTime,omitempty"`
	S3Bucket           string  `json:"s3Bucket"`
	S3Prefix           *string `json:"s3Prefix"`
	S3SseAlgorithm     string  `json:"s3SseAlgorithm"`
	S3SseKmsKeyID      *string `json:"s3SseKmsKeyId"`
	ManifestFilesS3Key string  `json:"manifestFilesS3Key"`
	BilledSizeBytes    int64   `json:"billedSizeBytes"`
	ItemCount          int64   `json:"itemCount"`
	OutputFormat       string  `json:"outputFormat"`
	OutputView         string  `json:"outputView,omitempty"`
	ExportType         string  `json:"exportType,omitempty"`
}

// The versions of the manifests of full and incremental exports.
const (
	fullVersion        = "2020-06-30"
	incrementalVersion = "2023-08-01"
)

// putManifests writes the manifests, the summary last: an export that has one is complete.
func (f *exportFiles) putManifests(x *Export) error {
	if err := f.putFileList(f.done); err != nil {
		return err
	}
	s := summary{
		Version: fullVersion, ExportArn: x.ARN, StartTime: timestamp(x.Start), EndTime: timestamp(x.End),
		TableArn: x.TableARN, TableID: x.TableID, ExportTime: timestamp(x.Time), S3Bucket: f.bucket,
		S3Prefix: x.Input.S3Prefix, S3SseAlgorithm: orDefault(x.Input.S3SseAlgorithm, sseAlgorithm),
		S3SseKmsKeyID: x.Input.S3SseKmsKeyId, ManifestFilesS3Key: f.folder + "manifest-files.json",
		BilledSizeBytes: x.Billed, ItemCount: x.Items, OutputFormat: orDefault(x.Input.ExportFormat, dynamoJSON),
	}
	if x.isIncremental() {
		s.Version, s.ExportTime, s.ExportType, s.OutputView = incrementalVersion, "", incremental, x.View
		s.ExportFromTime, s.ExportToTime = timestamp(x.From), timestamp(x.To)
	}
	return f.putSummary(&s)
}

// putFileList writes the manifest of files.
func (f *exportFiles) putFileList(files []dataFile) error {
	var list []byte
	for _, file := range files {
		line, err := json.Marshal(file)
		if err != nil {
			return err
		}
		list = append(append(list, line...), '\n')
	}
	return f.putManifest("manifest-files", list)
}

// putSummary writes the summary.
func (f *exportFiles) putSummary(s any) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return f.putManifest("manifest-summary", text)
}

func timestamp(seconds float64) string {
	return time.UnixMilli(int64(seconds*1000 + 0.5)).UTC().Format("2006-01-02T15:04:05.000Z")
}

package telemetry

import (
	"mime"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Requests and responses beyond the types of model.go.

type registration struct {
	HardwareID      HardwareID   `json:"hardware_id"`
	BootID          UUID         `json:"boot_id"`
	FirmwareVersion Firmware     `json:"firmware_version"`
	Capabilities    Capabilities `json:"capabilities"`
}

type devicePath struct {
	HardwareID HardwareID `path:"hardware_id"`
}

type nameRequest struct {
	HardwareID HardwareID `path:"hardware_id"`
	Body       struct {
		FriendlyName string `json:"friendly_name" minLength:"1" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$" patternDescription:"a name without control characters" example:"greenhouse-sensor-01"`
	}
}

type pageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"next_cursor of the previous page"`
}

type readingsQuery struct {
	HardwareID HardwareID `path:"hardware_id"`
	Limit      int        `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor     string     `query:"cursor" maxLength:"2000" doc:"next_cursor of the previous page"`
	From       int64      `query:"from" minimum:"0" maximum:"9999999999999" default:"0" doc:"Epoch milliseconds, inclusive"`
	To         int64      `query:"to" minimum:"0" maximum:"9999999999999" default:"9999999999999" doc:"Epoch milliseconds, inclusive"`
	Order      string     `query:"order" enum:"asc,desc" default:"asc" doc:"Oldest or newest first"`
}

type keyPath struct {
	KeyID UUID `path:"key_id"`
}

type keyRequest struct {
	Description string `json:"description,omitempty" maxLength:"200" example:"greenhouse cluster"`
}

type newKey struct {
	APIKey
	Raw string `json:"api_key" doc:"The raw key: 64 hex characters; only in this response" example:"5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"`
}

type devicePage struct {
	Devices    []Device `json:"devices" nullable:"false"`
	NextCursor string   `json:"next_cursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type readingPage struct {
	Readings   []Reading `json:"readings" nullable:"false"`
	NextCursor string    `json:"next_cursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type keyPage struct {
	APIKeys    []APIKey `json:"api_keys" nullable:"false"`
	NextCursor string   `json:"next_cursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type hotDevices struct {
	Devices []HotDevice `json:"devices" nullable:"false" doc:"The ten devices with the most writes, hottest first"`
}

type health struct {
	Status string `json:"status" example:"ok"`
	Schema string `json:"schema" doc:"Version of the schema document" example:"1.0.0"`
}

// ingestRequest keeps the body raw: parseReadings parses it once, and the response has a result for each reading.
type ingestRequest struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

// ingestBody is the body of ingestRequest in the OpenAPI document.
type ingestBody struct {
	Readings []struct {
		HardwareID      HardwareID         `json:"hardware_id"`
		BatchID         string             `json:"batch_id" pattern:"^[A-Za-z0-9_:-]{1,256}$" doc:"Opaque id; a repeated reading is not stored again" example:"AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000"`
		BootID          UUID               `json:"boot_id"`
		FirmwareVersion Firmware           `json:"firmware_version"`
		TimestampMS     int64              `json:"timestamp_ms" minimum:"946684800000" maximum:"4102444800000" doc:"Epoch milliseconds, from 2000-01-01 to 2100-01-01" example:"1704067800000"`
		Sensors         map[string]float64 `json:"sensors" doc:"All optional: bme280_temp_c, ds18b20_temp_c, humidity_pct, pressure_hpa, soil_moisture_pct, and any other name of up to 64 lowercase letters, digits and '_'" example:"{\"bme280_temp_c\":22.5,\"humidity_pct\":45.2}"`
		SensorStatus    map[string]string  `json:"sensor_status" doc:"ok or error, by sensor" example:"{\"bme280\":\"ok\"}"`
	} `json:"readings" minItems:"1" maxItems:"100" nullable:"false"`
}

func ingestOperation() huma.Operation {
	op := web.Operation("ingest-readings", http.MethodPost, "/telemetry/readings", "Deliver readings",
		"1 to 100 readings, each with its own result: stored, duplicate, or rejected with a reason. One invalid reading does not"+
			" affect the others. After an error, send the same request again: a repeat stores nothing twice (TL-P7, TL-R9, TL-R13).")
	op.MaxBodyBytes = maxReadingsBody
	op.SkipValidateBody = true
	return op
}

// documentIngestBody adds the schema of the body to the OpenAPI document, which has none for a raw body.
func documentIngestBody(api huma.API) {
	doc := api.OpenAPI()
	body := doc.Components.Schemas.Schema(reflect.TypeFor[ingestBody](), true, "IngestBody")
	doc.Paths["/telemetry/readings"].Post.RequestBody.Content["application/json"].Schema = body
}

// isJSON treats a missing content type as JSON, as the other routes do.
func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return contentType == "" || err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

package dashboard

// row is a title with graphs below it.
type row struct {
	title  string
	graphs []graph
}

// graph is one panel. A query with one series for each value of a label has a legend with that label.
type graph struct {
	title, description string
	unit               string // Grafana's unit: reqps, s, short …
	queries            []query
}

type query struct {
	expr   string // PromQL; $__rate_interval is Grafana's
	legend string
	rare   bool // no data is normal: there may be no errors
}

// rows returns the rows of the dashboard, from what clients see to what the process uses.
func rows() []row {
	return []row{
		{"Requests to the backends", []graph{
			{"Requests", "Responses per second, by route.", "reqps",
				[]query{{expr: rate("http_server_request_duration_seconds_count", "http_route"), legend: "{{http_route}}"}}},
			{"Latency, 99th percentile", "Response time by route. Histogram bounds: 5, 10, 25 … ms.", "s",
				[]query{{expr: quantile("0.99", "http_server_request_duration_seconds", "http_route"), legend: "{{http_route}}"}}},
			{"Latency, all routes", "Response time: p50, p95 and p99.", "s",
				percentiles("http_server_request_duration_seconds")},
			{"Errors", "Responses with a status of 400 or more, by status and route.", "reqps", []query{
				{expr: `sum by (http_response_status_code, http_route) (rate(http_server_request_duration_seconds_count{http_response_status_code=~"[45].."}[$__rate_interval]))`,
					legend: "{{http_response_status_code}} {{http_route}}", rare: true}}},
		}},
		{"Database operations of the backends", []graph{
			{"Operations",
				"Operations per second, by operation and table or container. Retries by the SDK are not counted separately.", "ops",
				[]query{{expr: rate("db_client_operation_duration_seconds_count", "db_collection_name, db_operation_name"),
					legend: "{{db_operation_name}} {{db_collection_name}}"}}},
			{"Operation latency, 99th percentile", "As the backends see it, including retries.", "s",
				[]query{{expr: quantile("0.99", "db_client_operation_duration_seconds", "db_collection_name, db_operation_name"),
					legend: "{{db_operation_name}} {{db_collection_name}}"}}},
			{"Operations per request", "Database operations per HTTP request, including those of the workers.", "short",
				[]query{{expr: `sum(rate(db_client_operation_duration_seconds_count[$__rate_interval])) / sum(rate(http_server_request_duration_seconds_count[$__rate_interval]))`,
					legend: "operations"}}},
			{"Failed operations", "By type of error: failed conditions, throttling, conflicts.", "ops", []query{
				{expr: `sum by (db_operation_name, error_type) (rate(db_client_operation_duration_seconds_count{error_type!=""}[$__rate_interval]))`,
					legend: "{{error_type}} {{db_operation_name}}", rare: true}}},
			{"Worker rounds, 99th percentile", "Duration of a round, by worker.", "s",
				[]query{{expr: quantile("0.99", "tabletop_work_round_duration_seconds", "tabletop_work"),
					legend: "{{tabletop_work}}"}}},
			{"Push requests", "Requests to push services, by status.", "reqps", []query{
				{expr: rate("http_client_request_duration_seconds_count", "http_response_status_code"),
					legend: "{{http_response_status_code}}", rare: true}}},
		}},
		{"DynamoDB tables", []graph{
			{"Write units", "Consumed per second, by table and index.", "short",
				[]query{{expr: units("write"), legend: "{{table_name}} {{global_secondary_index_name}}"}}},
			{"Read units", "Consumed per second, by table and index.", "short",
				[]query{{expr: units("read"), legend: "{{table_name}} {{global_secondary_index_name}}"}}},
			{"Emulator latency, 99th percentile", "From the last byte of the request to the response, by operation.", "s",
				[]query{{expr: quantile("0.99", "aws_dynamodb_successful_request_latency_seconds", "operation"),
					legend: "{{operation}}"}}},
			{"Throttling, conflicts, failed conditions", "Errors that an application has to handle.", "ops", []query{
				{expr: rate("aws_dynamodb_throttled_requests_total", "table_name"), legend: "throttled {{table_name}}", rare: true},
				{expr: rate("aws_dynamodb_transaction_conflict_total", "table_name"), legend: "conflict {{table_name}}",
					rare: true},
				{expr: rate("aws_dynamodb_conditional_check_failed_requests_total", "table_name"),
					legend: "condition {{table_name}}", rare: true}}},
		}},
		{"Cosmos DB containers", []graph{
			{"Request units", "Consumed per second, by container and operation.", "short",
				[]query{{expr: rate("azure_cosmosdb_total_request_units", "container, operation"),
					legend: "{{container}} {{operation}}"}}},
			{"Normalized RU consumption",
				"Of the hottest physical partition in its busiest second of the last minute; 100% is its full throughput.",
				"percentunit", []query{{expr: `max by (container) (azure_cosmosdb_normalized_ru_consumption)`,
					legend: "{{container}}"}}},
			{"Emulator latency, 99th percentile", "By operation.", "s",
				[]query{{expr: quantile("0.99", "azure_cosmosdb_server_side_latency_seconds", "operation"),
					legend: "{{operation}}"}}},
			{"Errors", "By container and status: 429 is throttling, 412 an ETag mismatch, 449 a concurrent write.",
				"ops", []query{
					{expr: `sum by (container, status_code) (rate(azure_cosmosdb_total_requests{status_code=~"[45].."}[$__rate_interval]))`,
						legend: "{{status_code}} {{container}}", rare: true}}},
		}},
		{"Processes", []graph{
			{"Memory", "Resident memory.", "bytes", []query{{expr: `process_resident_memory_bytes`, legend: "{{job}}"}}},
			{"CPU", "CPU seconds per second.", "short", []query{{expr: `rate(process_cpu_seconds_total[$__rate_interval])`,
				legend: "{{job}}"}}},
		}},
	}
}

// rate returns the query for the rate of a counter by labels.
func rate(counter, labels string) string {
	return "sum by (" + labels + ") (rate(" + counter + "[$__rate_interval]))"
}

// quantile returns the query for a quantile of a histogram by labels.
func quantile(q, histogram, labels string) string {
	return "histogram_quantile(" + q + ", sum by (le, " + labels + ") (rate(" + histogram + "_bucket[$__rate_interval])))"
}

func percentiles(histogram string) []query {
	var all []query
	for _, p := range []struct{ q, name string }{{"0.5", "p50"}, {"0.95", "p95"}, {"0.99", "p99"}} {
		all = append(all, query{expr: "histogram_quantile(" + p.q + ", sum by (le) (rate(" + histogram +
			"_bucket[$__rate_interval])))", legend: p.name})
	}
	return all
}

func units(kind string) string {
	return rate("aws_dynamodb_consumed_"+kind+"_capacity_units_total", "table_name, global_secondary_index_name")
}

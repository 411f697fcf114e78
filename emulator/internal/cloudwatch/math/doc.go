// Package math implements CloudWatch's metric math: expressions over the metrics of one request, such as
//
//	100 * errors / SUM(METRICS("requests"))
//
// It supports numbers, + - * / ^, comparisons, AND and OR, and the functions ABS, AVG, CEIL, DATAPOINT_COUNT, DIFF,
// FILL, FIRST, FLOOR, IF, LAST, LOG, LOG10, MAX, METRIC_COUNT, METRICS, MIN, PERIOD, RATE, RUNNING_SUM, STDDEV, SUM and
// TIME_SERIES. Other functions of CloudWatch are refused by name. (AWS, "Using math expressions with CloudWatch
// metrics".)
package math

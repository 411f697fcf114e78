// Package budget limits what a request may use: steps of work, bytes of intermediate results, and time. All requests of
// a process share a Pool of bytes, so that many requests together use no more memory than a few large ones. Each has an
// Account in it, which counts its body, its Budget and its response.
//
// A server creates one Budget for each request and passes it to whatever evaluates the request: expressions, policies,
// queries, filters, pagination. An evaluator calls Step for work in proportion to its input (elements, comparisons,
// bytes of text) and Grow before it holds memory that the request's size does not limit. It stops at an error, which
// the service turns into a response in its own form:
//
//   - ErrSteps, ErrBytes and ErrTime: the request asks for too much.
//   - ErrBusy: other requests hold the memory at the moment. The response is the service's throttling error, so that
//     clients retry.
//   - the context's error: the client left, or the server is shutting down.
//
// Step costs a comparison in most calls; it checks the context and the machine's clock every 4,096 steps. Grow does not
// use the pool for the first 64 KiB of a request.
//
//	b := budget.New(r.Context(), budget.Limits{Steps: 1 << 30, Bytes: 256 << 20, Time: 30 * time.Second, Pool: pool})
//	defer b.Close()
//	for _, row := range rows {
//		if err := b.Step(len(row)); err != nil {
//			return err
//		}
//	}
//
// Long requests leave a processor to short ones. There is one turn less than there are processors: a request that has
// worked for 0.5 ms waits for a turn, and yields it every 2 ms. Step does so by itself; [Budget.TakeTurn] is for work
// without steps, such as parsing a large body. [Budget.Pace] and [Budget.BeginPaced] are for work on much data, such as
// a copy of a container.
//
// All methods accept a nil Budget and a nil Pool, which have no limits.
package budget

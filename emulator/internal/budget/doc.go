// Package budget bounds what a request may use: steps of work, bytes of intermediate results, and time. All requests of
// one process share a Pool of bytes, so that many together use no more memory than a few large ones: each has an
// Account there, by which its body, its Budget and its answer are counted as one.
//
// A server makes one Budget for each request and gives it to whatever evaluates the request: expressions, policies,
// queries, filters, pagination. An evaluator calls Step for work in proportion to what it looks at (an element, a
// comparison, so many bytes of text) and Grow before it holds memory that the request's size does not bound. It ends
// with the error, which the service turns into an answer in its own form:
//
//   - ErrSteps, ErrBytes and ErrTime: the request asks for too much.
//   - ErrBusy: other requests hold the memory at the moment. The answer is the service's throttling error, so that
//     clients try again.
//   - the context's error: the client left, or the server is shutting down.
//
// Step costs a comparison in most calls; it looks at the context and at the machine's clock every 4,096 steps. Grow
// does not touch the pool for the first 64 KiB of a request.
//
//	b := budget.New(r.Context(), budget.Limits{Steps: 1 << 30, Bytes: 256 << 20, Time: 30 * time.Second, Pool: pool})
//	defer b.Close()
//	for _, row := range rows {
//		if err := b.Step(len(row)); err != nil {
//			return err
//		}
//	}
//
// Long requests leave a processor to short ones: a request that has worked for 0.5 ms waits for one of as many turns as
// there are processors but one, and lets the next have it every 2 ms. Step does so by itself; [Budget.TakeTurn] does
// for work without steps, such as the parsing of a large body.
//
// All methods accept a nil Budget and a nil Pool, which bound nothing.
package budget

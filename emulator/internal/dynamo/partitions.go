package dynamo

// partitions are the first keys of the partitions of a table, without what all its keys begin with; the first is empty. A
// table is one partition.
func (s *Service) partitions(uint32) [][]byte { return [][]byte{{}} }

package data

// commitUnit makes a record durable and carries it out, if allowed does not refuse it. Nobody else commits between.
func commitUnit(l *Lake, stem string, record commitRecord, allowed func() error) error {
	content, err := record.encode()
	if err != nil {
		return err
	}
	if _, err := decodeCommit(content, stem); err != nil {
		return err // Nobody could carry it out later.
	}
	return l.BetweenCommits(func() error {
		if err := allowed(); err != nil {
			return err
		}
		name := journalDir + "/" + stem + commitSuffix
		if err := l.PutFile(name, content); err != nil {
			return err
		}
		return completeCommit(l, pendingCommit{name, stem, record})
	})
}

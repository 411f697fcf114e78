Feature: The table is migrated under live traffic
  The document's way to a new access pattern: new attributes leave existing items alone; an index is added and filled
  by a script that can be interrupted; queries switch to it, and the old index is removed. No read fails meanwhile.

  @KF-O3.attributes
  Scenario: New attributes are added to old items only when they change
    Given "ana" has started the batches "ginger"
    And all data is as a program of version 1.0.0 wrote it
    When "ana" looks at "ginger"
    Then the response is 200
    And the batch "ginger" has no attribute "GSI2PK"
    When "ana" moves "ginger" to "in_fridge"
    Then the response is 200
    And the batch "ginger" has the attribute "GSI2PK" with "STATUS#in_fridge"

  @KF-O3.index @KF-O3.interrupted
  Scenario: An index is added, backfilled and queried, and an old one removed, under live traffic
    Given the table is that of version 1.0.0, with the additional index "ByStatus"
    And "ana" has a kitchen of 4 batches with 1 note and a reminder each
    And "bob" has a kitchen of 4 batches with 1 note and a reminder each
    And all data is as a program of version 1.0.0 wrote it
    And "ana", "bob" and the operator keep reading and writing
    When the indexes of version 1.1.0 are added
    And the backfill is interrupted after 5 items
    Then it is not complete
    When the backfill is started again
    Then it completes the interrupted run
    When the operator's list is switched to the new index
    And the index "ByStatus" of "kefir-app-dev-table" is removed
    And everybody reads and writes once more
    Then no read or write failed
    And the store received a Query of index "GSI2" of "kefir-app-dev-table" where "GSI2PK = 'STATUS#active'"
    And the index "GSI2" has 8 entries
    And the index "GSI3" has 8 entries
    And table "kefir-app-dev-table" has 3 indexes

  @KF-O3.between
  Scenario: An item that changes during the backfill keeps its current index keys
    Given "ana" has started the batches "ginger"
    And all data is as a program of version 1.0.0 wrote it
    When the backfill runs while "ana" moves "ginger" to "ready"
    Then the batch "ginger" has the attribute "GSI2PK" with "STATUS#ready"

  @KF-O3.between
  Scenario: An item that an older program changes during the backfill gets its current index keys
    Given "ana" has started the batches "ginger"
    And all data is as a program of version 1.0.0 wrote it
    When the backfill runs while a program of version 1.0.0 moves "ginger" to "ready"
    Then the batch "ginger" has the attribute "GSI2PK" with "STATUS#ready"

  @KF-O3.index
  Scenario: The backfill reaches the last item of a table of many pages
    Given "ana" has a kitchen of 2 batches with 210 notes and a reminder each
    And all data is as a program of version 1.0.0 wrote it
    And the index "GSI3" has no entries
    When the backfill runs
    Then the index "GSI2" has 2 entries
    And the index "GSI3" has 2 entries

Feature: The table changes while everybody goes on
  The document's way to a new access pattern: attributes come without touching what is there; an index is added, filled by a
  script that may be interrupted, asked in place of the old one, and the old one removed. Nobody's reading fails meanwhile.

  @KF-O3.attributes
  Scenario: Attributes are added, and what was written before stays as it is until it is changed
    Given "ana" has started the batches "ginger"
    And everything is as a program of version 1.0.0 wrote it
    When "ana" looks at "ginger"
    Then the answer is 200
    And the batch "ginger" has no attribute "GSI2PK"
    When "ana" puts "ginger" to "in_fridge"
    Then the answer is 200
    And the batch "ginger" has the attribute "GSI2PK" with "STATUS#in_fridge"

  @KF-O3.index @KF-O3.interrupted
  Scenario: An index is added, filled and asked, and an old one removed, under live traffic
    Given the table is that of version 1.0.0, with an index "ByStatus" besides
    And "ana" has a kitchen of 4 batches with 1 notes and a reminder each
    And "bob" has a kitchen of 4 batches with 1 notes and a reminder each
    And everything is as a program of version 1.0.0 wrote it
    And "ana", "bob" and the operator go on reading and writing
    When the indexes of version 1.1.0 are added
    And the backfill is cut off after 5 items
    Then it is not done
    When the backfill is started again
    Then it is done, in the run that was begun
    When the operator's list is asked of the new index
    And the index "ByStatus" of "kefir-app-dev-table" is removed
    And everybody has read and written once more
    Then nothing that anybody read or wrote failed
    And the store was asked for a Query of index "GSI2" of "kefir-app-dev-table" where "GSI2PK = 'STATUS#active'"
    And the index "GSI2" has 8 entries
    And the index "GSI3" has 8 entries
    And table "kefir-app-dev-table" has 3 indexes

  @KF-O3.between
  Scenario: What changes between the backfill's read and its write keeps the keys of what it is
    Given "ana" has started the batches "ginger"
    And everything is as a program of version 1.0.0 wrote it
    When the backfill runs, and meanwhile "ana" puts "ginger" to "ready"
    Then the batch "ginger" has the attribute "GSI2PK" with "STATUS#ready"

  @KF-O3.between
  Scenario: What an older program changes between the backfill's read and its write gets the keys of what it is
    Given "ana" has started the batches "ginger"
    And everything is as a program of version 1.0.0 wrote it
    When the backfill runs, and meanwhile a program of version 1.0.0 puts "ginger" to "ready"
    Then the batch "ginger" has the attribute "GSI2PK" with "STATUS#ready"

  @KF-O3.index
  Scenario: A table of many pages is filled to the last item
    Given "ana" has a kitchen of 2 batches with 210 notes and a reminder each
    And everything is as a program of version 1.0.0 wrote it
    And the index "GSI3" has no entries
    When the backfill runs
    Then the index "GSI2" has 2 entries
    And the index "GSI3" has 2 entries

Feature: Seats
  A guest holds a seat, has ten minutes to pay, and then it is theirs. Nobody has a seat that somebody else has.

  Background:
    Given the tables of the file "tables.yaml"

  @seats-1
  Scenario: A seat is held, paid, and found among the guest's
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs
    When "ann" pays the seat "1A" of "Hamlet"
    Then the item of "seats" where "show = 'Hamlet' AND seat = '1A'" has:
      | guest | 'ann' |
    And the item of "seats" where "show = 'Hamlet' AND seat = '1A'" has no "until"
    And "ann" has the seats "Hamlet 1A"
    And the store was asked for a Query of index "by-guest" of "seats" where "guest = 'ann'"
    And the store was never asked for a Scan

  @seats-2
  Scenario: Of twenty guests one has the seat
    When 20 guests at once hold the seat "1A" of "Hamlet"
    Then exactly one of them succeeds
    And table "seats" holds 1 item

  @seats-2
  Scenario: What somebody else has is taken
    Given these items are put into "seats":
      | show   | seat | guest | until                 |
      | Hamlet | 1A   | bob   | {seconds in 1 days}   |
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is taken

  @seats-3 @needs:commands
  Scenario: A seat that is not paid is free again
    Given "ann" holds the seat "1A" of "Hamlet"
    When 11 minutes pass
    And "bob" holds the seat "1A" of "Hamlet"
    Then it is theirs

  @seats-3 @needs:commands
  Scenario: A seat that is paid stays the guest's, also when they ask for it once more
    Given "ann" holds the seat "1A" of "Hamlet"
    And "ann" pays the seat "1A" of "Hamlet"
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs
    When 11 minutes pass
    And "bob" holds the seat "1A" of "Hamlet"
    Then it is taken
    And "ann" has the seats "Hamlet 1A"

  @seats-4 @needs:commands
  Scenario: A guest whose answer is lost has the seat
    Given the next UpdateItem of "seats" loses its answer
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs
    And 1 request went wrong

  @seats-4 @needs:commands
  Scenario: A busy table is asked again
    Given the next 2 UpdateItem of "seats" are throttled
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs

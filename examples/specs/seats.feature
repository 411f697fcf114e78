Feature: Seats
  A guest holds a seat, has ten minutes to pay, and then it is theirs. Nobody has a seat that somebody else has.

  Background:
    Given the tables of the file "tables.yaml"

  @seats-1
  Scenario: A guest holds, pays and finds a seat
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs
    When "ann" pays the seat "1A" of "Hamlet"
    Then the item of "seats" where "show = 'Hamlet' AND seat = '1A'" has:
      | guest | 'ann' |
    And the item of "seats" where "show = 'Hamlet' AND seat = '1A'" has no "until"
    And "ann" has the seats "Hamlet 1A"
    And the store received a Query of index "by-guest" of "seats" where "guest = 'ann'"
    And the store received no Scan

  @seats-2
  Scenario: Of twenty simultaneous guests one gets the seat
    When 20 guests at once hold the seat "1A" of "Hamlet"
    Then exactly one of them succeeds
    And table "seats" holds 1 item

  @seats-2
  Scenario: A seat of another guest is taken
    Given these items are put into "seats":
      | show   | seat | guest | until                 |
      | Hamlet | 1A   | bob   | {seconds in 1 days}   |
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is taken

  @seats-3 @needs:commands
  Scenario: A seat that is not paid becomes free again
    Given "ann" holds the seat "1A" of "Hamlet"
    When 11 minutes pass
    And "bob" holds the seat "1A" of "Hamlet"
    Then it is theirs

  @seats-3 @needs:commands
  Scenario: A seat that is paid stays the guest's, even if they hold it again
    Given "ann" holds the seat "1A" of "Hamlet"
    And "ann" pays the seat "1A" of "Hamlet"
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs
    When 11 minutes pass
    And "bob" holds the seat "1A" of "Hamlet"
    Then it is taken
    And "ann" has the seats "Hamlet 1A"

  @seats-4 @needs:commands
  Scenario: A guest whose response is lost has the seat
    Given the next UpdateItem of "seats" loses its response
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs
    And 1 fault occurred

  @seats-4 @needs:commands
  Scenario: A throttled request is retried
    Given the next 2 UpdateItem of "seats" are throttled
    When "ann" holds the seat "1A" of "Hamlet"
    Then it is theirs

Feature: Users export their data, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @KF-P15.whole
  Scenario: The export contains the profile, all batches with their events and reminders, and the devices, on the wire
    Given "ana" has a kitchen of 2 batches with 3 notes and a reminder each
    And "bob" has a kitchen of 1 batch with 2 notes and a reminder each
    When "ana" exports everything
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'USER#ana'", consistent
    And the store received a Query of "kefir-app-dev-table" where "PK = 'BATCH#{anas batch 1}'", consistent
    And the store received a Query of "kefir-app-dev-table" where "PK = 'BATCH#{anas batch 2}'", consistent
    And the store received no Scan

  @KF-P15.pages
  Scenario: An export of many pages contains each item once
    Given "ana" has a kitchen of 3 batches with 7 notes and a reminder each
    And the store returns pages of 2 items
    When "ana" exports everything
    Then the export has 29 rows: "1 profile, 3 batch, 21 event, 3 reminder, 1 device"

  @KF-P15.formulas
  Scenario: A negative number stays a number
    Given "ana" sends POST /batches with {"name": "cold", "waterVolumeMl": 1000, "sugarGrams": 60, "temperatureC": -1.5, "targetHoursStage1": 48}
    When "ana" exports everything
    Then a row of the export has the temperatureC "-1.5"

  @KF-P15.cut
  Scenario: An export that fails in the middle is cut off, so that it cannot pass as complete
    Given "ana" has a kitchen of 2 batches with 3 notes and a reminder each
    And the store fails after 2 pages
    When "ana" exports everything
    Then the export is cut off

  @KF-P15.cut
  Scenario: An export that fails at the start returns an error
    Given "ana" has a kitchen of 1 batch with 1 note and a reminder each
    And the store fails after 0 pages
    When "ana" exports everything
    Then the response is 503

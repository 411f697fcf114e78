Feature: Users take their data with them, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @KF-P15.whole
  Scenario: The export has the profile, every batch with all that belongs to it, and the devices, on the wire
    Given "ana" has a kitchen of 2 batches with 3 notes and a reminder each
    And "bob" has a kitchen of 1 batches with 2 notes and a reminder each
    When "ana" exports everything
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'USER#ana'", consistent
    And the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{anas batch 1}'", consistent
    And the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{anas batch 2}'", consistent
    And the store was never asked for a Scan

  @KF-P15.pages
  Scenario: Nothing is lost and nothing is twice over many pages
    Given "ana" has a kitchen of 3 batches with 7 notes and a reminder each
    And the store gives pages of 2 items
    When "ana" exports everything
    Then the export has 29 rows: "1 profile, 3 batch, 21 event, 3 reminder, 1 device"

  @KF-P15.formulas
  Scenario: A number is a number, also below zero
    Given "ana" sends POST /batches with {"name": "cold", "waterVolumeMl": 1000, "sugarGrams": 60, "temperatureC": -1.5, "targetHoursStage1": 48}
    When "ana" exports everything
    Then a row of the export has the temperatureC "-1.5"

  @KF-P15.cut
  Scenario: An export that fails in the middle is cut off, so that nobody takes it for whole
    Given "ana" has a kitchen of 2 batches with 3 notes and a reminder each
    And the store fails after 2 pages
    When "ana" exports everything
    Then the export is cut off

  @KF-P15.cut
  Scenario: An export that fails before it began is a problem like any other
    Given "ana" has a kitchen of 1 batches with 1 notes and a reminder each
    And the store fails after 0 pages
    When "ana" exports everything
    Then the answer is 503

Feature: Users export their data
  All data of a user is exported as one CSV file, one row per item, streamed while it is read.

  @KF-P15.whole
  Scenario: The export contains the profile, all batches with their events and reminders, and the devices
    Given "ana" has a kitchen of 2 batches with 3 notes and a reminder each
    And "bob" has a kitchen of 1 batch with 2 notes and a reminder each
    When "ana" exports everything
    Then the export has 12 rows: "1 profile, 2 batch, 6 event, 2 reminder, 1 device"
    And no row of the export has "bob"

  @KF-P15.formulas
  Scenario Outline: A cell that a spreadsheet would run as a formula is escaped: <text>
    Given "ana" has started the batch "ginger"
    And "ana" adds the event {"type": "note", "note": "<text>"} to "ginger"
    When "ana" exports everything
    Then a row of the export has the note "<cell>"

    Examples:
      | text                     | cell                      |
      | =HYPERLINK('x')          | '=HYPERLINK('x')          |
      | +1                       | '+1                       |
      | -1                       | '-1                       |
      | @SUM(A1)                 | '@SUM(A1)                 |
      | \\t=1                    | '\\t=1                    |
      | \\r=1                    | '\\r=1                    |
      | \\n=1                    | '\\n=1                    |
      | ＝1+1                    | '＝1+1                    |
      | ＋1                      | '＋1                      |
      | －1                      | '－1                      |
      | ＠SUM(A1)                | '＠SUM(A1)                |
      | 1 = 1, as, everybody     | 1 = 1, as, everybody      |

  @KF-P15.whole
  Scenario: The export of a user without data has no rows
    When "ana" exports everything
    Then the export has 0 rows: ""

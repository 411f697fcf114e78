Feature: Operating the device tokens
  The document's operational requirements: recovery from mistakes, alarms that are raised by their own cause and no
  other, and failures of a registration that the person on call can tell apart.

  @PE-O2 @needs:commands
  Scenario: An accidental bulk delete is undone completely
    Given the table is created with its recovery and alarms
    And "ana" has registered 3 phones
    And "bob" has registered "bobs-phone"
    And 2 days pass
    When everything in the table is deleted by mistake
    And "carol" registers "carols-phone"
    And 10 minutes pass
    And the table is restored to the second before the mistake, into "rescued"
    Then "rescued" has every phone as it was before the mistake, and no other
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-O2 @needs:commands
  Scenario: A recovery drill reports what was lost, and leaves nothing behind
    Given the table is created with its recovery and alarms
    And "ana" has registered 3 phones
    And the table's contents are recorded
    And 2 days pass
    When everything in the table is deleted by mistake
    And "carol" registers "carols-phone"
    And 10 minutes pass
    And a drill restores the table to the second before the mistake
    Then the drill reports 3 restored items, of which 3 had been deleted, and 1 new
    And the restored contents are the recorded ones
    And there are the tables "photoeditor-dev-device-tokens, tabletop-jobs" and no other

  @PE-O3 @needs:commands
  Scenario: More than ten user errors in five minutes raise an alarm
    Given the table is created with its recovery and alarms
    And 10 minutes pass
    When the table is deleted
    And "ana" tries to register 10 phones
    And 5 minutes pass
    Then the alarm "photoeditor-dev-user-errors" is in OK
    When "ana" tries to register 11 phones
    And 5 minutes pass
    Then the alarm "photoeditor-dev-user-errors" is in ALARM
    And the webhook is notified that "photoeditor-dev-user-errors" went from OK to ALARM
    When 1 hour passes
    Then the alarm "photoeditor-dev-user-errors" is in OK

  @PE-O4.raised @PE-O4.retry @needs:commands
  Scenario: One system error raises an alarm, although the registration succeeds
    Given the table is created with its recovery and alarms
    And 10 minutes pass
    When the next PutItem of "photoeditor-dev-device-tokens" fails with an internal error
    And "ana" registers "anas-phone"
    Then the response is 201
    When 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-put" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-get" is in OK
    And the alarm "photoeditor-dev-user-errors" is in OK
    And the webhook is notified that "photoeditor-dev-device-tokens-system-errors-put" went from OK to ALARM

  @PE-O4.raised @needs:commands
  Scenario Outline: A failing <what> raises only its own system error alarm
    Given the table is created with its recovery and alarms
    And "ana" has registered "anas-phone"
    And 10 minutes pass
    When the next <operation> of "photoeditor-dev-device-tokens" fails with an internal error
    And "ana" <does> "anas-phone"
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-<what>" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-<other>" is in OK
    And the alarm "photoeditor-dev-user-errors" is in OK

    Examples:
      | what   | operation  | does            | other |
      | get    | GetItem    | looks at        | put   |
      | update | UpdateItem | opens the app on | put  |
      | delete | DeleteItem | deletes         | get   |

  @PE-O4.raised @needs:commands
  Scenario: A failing scan of the cleanup raises the system error alarm of scans
    Given the table is created with its recovery and alarms
    And 10 minutes pass
    When the next Scan of "photoeditor-dev-device-tokens" fails with an internal error
    And the cleanup runs
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-scan" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-query" is in OK

  @PE-O4.raised @needs:commands
  Scenario: A failing query raises only its own system error alarm
    Given the table is created with its recovery and alarms
    And 10 minutes pass
    When the next Query of "photoeditor-dev-device-tokens" fails with an internal error
    And "ana" lists the phones that get pushes
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-query" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-get" is in OK

  @PE-D9 @needs:commands
  Scenario: Opening the app on known phones raises no alarm on failed conditions
    Given the table is created with its recovery and alarms
    And "ana" has registered "anas-phone"
    And 10 minutes pass
    When "ana" opens the app on "anas-phone" 101 times
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-conditional-check-failed" is in OK

  @PE-O5 @needs:commands
  Scenario: More than a hundred duplicate registrations in five minutes raise an alarm
    Given the table is created with its recovery and alarms
    And "ana" has registered "anas-phone"
    And 10 minutes pass
    When "ana" registers "anas-phone" again 100 times
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-conditional-check-failed" is in OK
    When "ana" registers "anas-phone" again 101 times
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-conditional-check-failed" is in ALARM
    And the alarm "photoeditor-dev-user-errors" is in OK
    And the webhook is notified that "photoeditor-dev-device-tokens-conditional-check-failed" went from OK to ALARM

  @PE-D2.writes @needs:commands
  Scenario: Throttling raises its own alarm, not the one of user errors
    Given the table is created with its recovery and alarms
    And 10 minutes pass
    When every PutItem of "photoeditor-dev-device-tokens" is throttled
    And "ana" tries to register 5 phones
    And 5 minutes pass
    Then the alarm "photoeditor-dev-user-errors" is in OK
    And the alarm "photoeditor-dev-device-tokens-write-throttled" is in ALARM
    And the webhook is notified that "photoeditor-dev-device-tokens-write-throttled" went from OK to ALARM

  @PE-O7.permission @needs:commands
  Scenario: A registration fails because a permission is missing
    Given a store that enforces IAM policies, and the service whose policy lacks PutItem
    When "ana" registers "anas-phone"
    Then the response is 500
    And the store responded to the PutItem with AccessDeniedException because "is not authorized to perform: dynamodb:PutItem on resource"
    And the response does not contain "dynamodb:PutItem"

  @PE-O7.table @needs:commands
  Scenario: A registration fails because the table does not exist yet
    Given an emulator with the cloud behaviour states
    And the service starts before its table is ready
    When "ana" registers "anas-phone"
    Then the response is 503
    And the response contains "the tables are missing"
    And the store responded to the PutItem with ResourceNotFoundException because "resource not found"
    When 1 minute passes
    And "photoeditor-dev-device-tokens" is ACTIVE
    And "ana" registers "anas-phone"
    Then the response is 201

  @PE-O7.throttled @needs:commands
  Scenario: A registration fails because the table is throttled
    Given every PutItem of "photoeditor-dev-device-tokens" is throttled
    When "ana" registers "anas-phone"
    Then the response is 503
    And the response contains "too busy"
    And the store responded to the PutItem with ThrottlingException because "Throughput exceeds the current capacity"
    When all faults are removed
    And "ana" registers "anas-phone"
    Then the response is 201

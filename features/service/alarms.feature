Feature: Alarms
  A CloudWatch alarm watches a metric, by the emulator's clock, and calls a webhook when its state changes, with the
  content of an SNS notification.

  @SV-A1.follows @SV-A1.webhook @SV-A1.history @needs:commands
  Scenario: Throttled writes raise an alarm, which ends as time passes
    Given an emulator that throttles, whose alarms call a webhook
    And a table "orders" with the key "id" and a capacity of 1 read and 1 write a second
    And an alarm "throttled" for when the Sum of WriteThrottleEvents of "orders" in a minute is above 0
    And 5 minutes pass
    Then the alarm "throttled" is in OK because "no datapoints were received for 1 period and 1 missing datapoint was treated as [NonBreaching]"
    When items are put into "orders" until one is refused
    And 1 minute passes
    Then the alarm "throttled" is in ALARM because "was greater than the threshold (0.0)"
    And the webhook is notified that "throttled" went from OK to ALARM
    When 1 hour passes
    Then the alarm "throttled" is in OK
    And the webhook is notified that "throttled" went from ALARM to OK
    And the history of the alarm "throttled" says "Alarm updated from ALARM to OK"
    And the history of the alarm "throttled" says "Successfully executed action arn:aws:sns:us-east-1:000000000000:on-call"

  @SV-A1.follows @needs:commands
  Scenario: An alarm for values above five is not raised by five
    Given an emulator
    And a table "orders" with the key "id"
    And an alarm "busy" for when the Sum of ConsumedWriteCapacityUnits of "orders" in a minute is above 5
    When 5 items are put into "orders"
    And 1 minute passes
    Then the alarm "busy" is in OK
    When 6 items are put into "orders"
    And 1 minute passes
    Then the alarm "busy" is in ALARM because "was greater than the threshold (5.0)"

  @SV-A2 @needs:commands
  Scenario Outline: An alarm in <state> treats missing data as <treatment>
    Given an emulator whose alarms call a webhook
    And a table "orders" with the key "id"
    And an alarm "quiet" for when WriteThrottleEvents of "orders" is above 0, which treats missing data as <treatment>
    And the alarm "quiet" is set to <state>
    When 5 minutes pass
    Then the alarm "quiet" is in <later>

    Examples:
      | treatment    | state | later             |
      | missing      | ALARM | INSUFFICIENT_DATA |
      | ignore       | ALARM | ALARM             |
      | ignore       | OK    | OK                |
      | breaching    | OK    | ALARM             |
      | notBreaching | ALARM | OK                |

  @SV-A3.drill @SV-A3.muted @needs:commands
  Scenario: Setting an alarm state by hand calls the webhook, unless its actions are disabled
    Given an emulator whose alarms call a webhook
    And an alarm "drilled" for when the Sum of SystemErrors of "orders" in a minute is above 0
    And an alarm "muted" for when the Sum of SystemErrors of "orders" in a minute is above 0
    And the actions of the alarm "muted" are disabled
    When the alarm "muted" is set to ALARM
    And the alarm "drilled" is set to ALARM
    Then the webhook is notified that "drilled" went from INSUFFICIENT_DATA to ALARM
    And the webhook was not notified about "muted"
    And the alarm "muted" is in ALARM because "a drill"

  @SV-A1.webhook @needs:commands
  Scenario: An alarm runs the actions of the state that it enters
    Given an emulator whose alarms call a webhook
    And an alarm "raised" that calls the webhook only on entering ALARM
    And an alarm "ended" that calls the webhook only on entering OK
    When the alarm "raised" is set to OK
    And the alarm "ended" is set to ALARM
    And the alarm "raised" is set to ALARM
    And the alarm "ended" is set to OK
    Then the only notification about "raised" is that it went from OK to ALARM
    And the only notification about "ended" is that it went from ALARM to OK

  @SV-A3.failed @needs:commands
  Scenario: An action that fails is in the alarm's history
    Given an emulator
    And an alarm "drilled" for when the Sum of SystemErrors of "orders" in a minute is above 0
    When the alarm "drilled" is set to ALARM
    Then the history of the alarm "drilled" says "it has no webhook: start the emulator with --alarm-webhook"

  @SV-A4 @needs:commands
  Scenario: An alarm on a metric expression needs two of three minutes
    Given an emulator whose alarms call a webhook
    And a table "orders" with the key "id" and a capacity of 1 read and 1 write a second
    And an alarm "busy" for when "orders" uses more than 80% of its writes in 2 of 3 minutes
    When 50 items are put into "orders"
    And 1 minute passes
    Then the alarm "busy" is in OK
    When 50 items are put into "orders"
    And 1 minute passes
    Then the alarm "busy" is in ALARM because "2 out of the last 2 datapoints"
    And the webhook is notified that "busy" went from OK to ALARM

  @SV-A5.reset @needs:commands
  Scenario: A reset deletes alarms
    Given an emulator
    And an alarm "drilled" for when the Sum of SystemErrors of "orders" in a minute is above 0
    When POST /_tabletop/reset is sent
    Then there is no alarm "drilled"

  @SV-A5.snapshot @needs:commands
  Scenario: A snapshot restores alarms with their state
    Given an emulator
    And an alarm "drilled" for when the Sum of SystemErrors of "orders" in a minute is above 0
    And the alarm "drilled" is set to ALARM
    When POST /_tabletop/snapshots is sent with {"id": "before"}
    And POST /_tabletop/reset is sent
    Then there is no alarm "drilled"
    When POST /_tabletop/snapshots/before/restore is sent
    Then the alarm "drilled" is in ALARM because "a drill"

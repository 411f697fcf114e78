Feature: The notification centre, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given "ana" is never quiet

  @NT-P6.pages
  Scenario: The list comes newest first, twenty a page, by continuation, on the wire
    Given 20 likes of posts of "ana", a minute apart
    And a worker runs
    And 61 minutes pass
    And 13 likes of posts of "ana", a minute apart
    And a worker runs
    And what Cosmos DB was asked before is forgotten
    When "ana" reads her notifications
    Then Cosmos DB was asked of "notifications" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.dismissed = false ORDER BY c.createdAt DESC
      """

  @NT-P6.refused
  Scenario: A cursor that was made up is refused
    When "ana" sends GET /notifications?cursor=made-up
    Then it is refused as a bad request
    And the answer names the field "query.cursor"

  @NT-P5.unread @NT-P6.undismissed @NT-P8.marked
  Scenario: What is read counts no more, and what is dismissed is not listed, on the wire
    Given "bob" likes a post of "ana"
    And 1 minute passes
    And NEWS_SYSTEM_UPDATE happens to "ana"
    And a worker runs
    Then "ana" has 2 unread
    And Cosmos DB was asked of "notifications" in the partition "ana":
      """
      SELECT VALUE COUNT(1) FROM c WHERE c.userId = 'ana' AND c.read = false AND c.dismissed = false
      """
    Given "ana" reads her notifications
    When "ana" reads the notification
    Then "ana" has 1 unread
    And "ana" has 2 notifications
    When "ana" dismisses the notification
    Then "ana" has 1 notification
    And Cosmos DB was asked for a Patch of "notifications" in the partition "ana"

  @NT-R9.end @needs:move-time
  Scenario: Notifications are gone after thirty days, on the wire
    Given "bob" likes a post of "ana"
    And a worker runs
    When 29 days pass
    Then "ana" has 1 notification
    When 1 day passes
    Then "ana" has 0 notifications
    And 0 documents of "ana" are in "notification_events"

  @NT-R9.stay @needs:move-time
  Scenario: Preferences and devices stay, on the wire
    Given "ana" registers the device "tablet"
    When 400 days pass
    Then "ana" has the devices "tablet"
    And 1 document of "ana" is in "notification_preferences"

Feature: Who may do what with the telemetry
  Every operation of its OpenAPI document is asked for with every kind of credential. docs/access.md shows what must come of each.

  @TL-R12.data @TL-R12.administration
  Scenario: Nobody without a valid credential gets anything from the telemetry
    When every operation is tried with each credential that does not open it
    Then each is refused as its document says
    And no answer tells anything of "ana"
    And nothing was looked up but whose credential it is

  @TL-R12.data @TL-R12.administration
  Scenario: Whoever may use an operation of the telemetry can
    When every operation is tried with each credential that opens it
    Then each is done
    And who may do what is as docs/access.md says

  @TL-R12.data @TL-R12.administration
  Scenario: What is open to everybody in the telemetry is meant to be
    When what is open to everybody is tried with every credential
    Then each answers, and is meant to be open
    And no answer tells anything of "ana"

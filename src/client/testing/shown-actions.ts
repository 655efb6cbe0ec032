/** The names of the buttons, links and switches of a page that can be used. */
export const listActions = (): string[] =>
  [...document.querySelectorAll('main :is(button, a, input[type="checkbox"])')]
    .filter((element) => !element.matches(':disabled') && !element.closest('fieldset[disabled]'))
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)

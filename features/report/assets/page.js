const form = document.querySelector('.filter');
const rows = [...document.querySelectorAll('main > details, .row.plain')];
const words = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));

form.hidden = false;
form.addEventListener('submit', event => event.preventDefault());
form.addEventListener('input', () => {
  const text = form.elements.text.value.toLowerCase();
  for (const row of rows) {
    row.hidden = !words.get(row).includes(text) || (form.elements.excused.checked && row.dataset.excused === 'false');
  }
});

// Paper has no clicks: whatever has a reason, because it did not pass, is printed open.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open]):has(> .reason, .scenario > .reason)')];
  for (const part of opened) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of opened) part.open = false;
});

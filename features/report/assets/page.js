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

// Paper has no clicks: what did not simply pass is printed open, with its scenarios' reasons.
let opened = [];
addEventListener('beforeprint', () => {
  opened = rows.filter(row => row.dataset.excused === 'true' && !row.open);
  for (const row of opened) row.open = true;
});
addEventListener('afterprint', () => {
  for (const row of opened) row.open = false;
});

const form = document.querySelector('.filter');
if (form) {
  const rows = [...document.querySelectorAll('#promises > details, #promises > .row.plain')];
  const words = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));
  form.hidden = false;
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('input', () => {
    const text = form.elements.text.value.toLowerCase();
    for (const row of rows) {
      row.hidden = !words.get(row).includes(text) || (form.elements.excused.checked && row.dataset.excused === 'false');
    }
  });
}

// A link to a promise, or to a clause of it, opens it.
const show = () => {
  const part = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest('details');
  if (part) part.open = true;
};
addEventListener('hashchange', show);
show();

// Paper has no clicks: everything is printed open.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const part of opened) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of opened) part.open = false;
});

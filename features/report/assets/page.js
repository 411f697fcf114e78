const form = document.querySelector('.filter');
if (form) {
  const rows = [...document.querySelectorAll('#requirements > details, #requirements > .row.plain')];
  const words = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));
  form.hidden = false;
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('input', () => {
    const text = form.elements.text.value.toLowerCase();
    for (const row of rows) {
      row.hidden = !words.get(row).includes(text) || (form.elements['hide-passed'].checked && row.dataset.allPassed === 'true');
    }
  });
}

// A link to a requirement, or to a clause of it, expands it.
const show = () => {
  const part = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest('details');
  if (part) part.open = true;
};
addEventListener('hashchange', show);
show();

// Printed pages have everything expanded.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const part of opened) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of opened) part.open = false;
});

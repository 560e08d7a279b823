const box = document.getElementById('filter');
const links = [...document.querySelectorAll('li.link')];
const files = [...document.querySelectorAll('section.file')];
box.closest('p').hidden = false;
box.addEventListener('input', () => {
  const wanted = box.value.toLowerCase();
  for (const link of links) link.hidden = !link.textContent.toLowerCase().includes(wanted);
  for (const file of files) file.hidden = wanted !== '' && !file.querySelector('li.link:not([hidden])');
});

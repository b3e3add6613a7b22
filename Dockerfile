# The toolkit as an image: docs/toolkit/ci.md, "In a container".
FROM python:3.12-slim AS build
WORKDIR /toolkit
COPY pyproject.toml requirements.lock LICENSE ./
COPY tools/devportal tools/devportal
# The versions of the lock, which the tests run with, without what only development needs.
RUN sed --quiet --regexp-extended 's/^([a-z0-9._-]+==[^ ;]+).*/\1/p' requirements.lock > constraints.txt \
    && python -m venv /opt/devportal \
    && /opt/devportal/bin/pip install --no-cache-dir --constraint constraints.txt ".[all]"

FROM python:3.12-slim
# `check --since` and `diff REVISION:PATH` ask git.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/devportal /opt/devportal
# Caches have a place for any user that the container is run as.
ENV PATH=/opt/devportal/bin:$PATH XDG_CACHE_HOME=/tmp
WORKDIR /portal
USER 10001:10001
ENTRYPOINT ["devportal"]
CMD ["--help"]
